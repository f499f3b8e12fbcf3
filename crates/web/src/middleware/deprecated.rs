//! Announces the end of a deprecated operation in each of its answers, and counts who still calls it.

use std::sync::Arc;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage as _};
use metrics::counter;

use contact_hub_domain::access::KeyHolder;

use crate::endpoint::deprecation::Deprecation;

/// Wraps the guard, so that answers to callers without access announce it too.
pub(crate) async fn deprecated(
    operation: &'static str,
    deprecation: Deprecation,
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let mut response = next.call(request).await?;
    for (name, value) in deprecation.headers() {
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(value)) {
            response.headers_mut().append(name, value);
        }
    }
    counter!("contact_hub_http_deprecated_calls_total", "operation" => operation).increment(1);
    if let Some(holder) = response.request().extensions().get::<Arc<KeyHolder>>() {
        let (company, key) = (holder.caller.company.id, holder.key_id);
        tracing::info!(operation, %company, %key, "a deprecated operation was called");
    }
    Ok(response)
}

#[cfg(test)]
mod tests {
    use actix_web::App;
    use actix_web::http::StatusCode;
    use actix_web::http::header::HeaderMap;
    use actix_web::test::{TestRequest, call_service, init_service};
    use metrics_exporter_prometheus::PrometheusBuilder;
    use time::macros::date;

    use super::*;
    use crate::endpoint::Endpoint;
    use crate::endpoint::sample::endpoint;
    use crate::resource::resources;

    /// The answer to a call. Without the state of the service, the guard answers with 500.
    async fn answer(endpoint: Endpoint) -> HeaderMap {
        let app = App::new();
        let app = resources([endpoint.served()]).into_iter().fold(app, App::service);
        let service = init_service(app).await;
        let request = TestRequest::get().uri("/api/manage/v1/old").to_request();
        let response = call_service(&service, request).await;
        assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
        response.headers().clone()
    }

    fn texts(headers: &HeaderMap) -> [Option<&str>; 3] {
        ["Deprecation", "Sunset", "Link"].map(|name| headers.get(name)?.to_str().ok())
    }

    #[actix_web::test]
    async fn answers_announce_the_sunset_and_calls_are_counted() {
        let recorder = PrometheusBuilder::new().build_recorder();
        let metrics = recorder.handle();
        let _recording = metrics::set_default_local_recorder(&recorder);
        let (since, link) = (date!(2027 - 01 - 15), "/docs/guide#old");
        let fixed = Deprecation { since, sunset: Some(date!(2028 - 07 - 01)), link };
        let headers = answer(endpoint().deprecated(fixed)).await;
        let link_header = Some("</docs/guide#old>; rel=\"deprecation\"");
        let sunset = Some("Sat, 01 Jul 2028 00:00:00 GMT");
        assert_eq!(texts(&headers), [Some("@1799971200"), sunset, link_header]);
        let open = Deprecation { sunset: None, ..fixed };
        let headers = answer(endpoint().deprecated(open)).await;
        assert_eq!(texts(&headers), [Some("@1799971200"), None, link_header]);
        let counted = "contact_hub_http_deprecated_calls_total{operation=\"readOld\"} 2";
        assert!(metrics.render().contains(counted), "{}", metrics.render());
    }

    #[actix_web::test]
    async fn other_operations_announce_nothing() {
        let headers = answer(endpoint()).await;
        assert_eq!(texts(&headers), [None; 3]);
    }
}
