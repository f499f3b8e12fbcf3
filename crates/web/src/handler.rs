//! Handlers as routes. The code that serves a request does not depend on the type of the handler, so it is compiled
//! once, and not once for each of two hundred handlers.

use std::convert::Infallible;
use std::pin::Pin;
use std::rc::Rc;

use actix_web::dev::{Handler, ServiceRequest, ServiceResponse, fn_service};
use actix_web::{FromRequest, HttpResponse, Responder, Route};

type Served = Pin<Box<dyn Future<Output = Result<ServiceResponse, Infallible>>>>;

/// A route to a handler of any method.
pub(crate) fn to<F, Args>(handle: F) -> Route
where
    F: Handler<Args>,
    F::Output: Responder + 'static,
    Args: FromRequest + 'static,
{
    route(Rc::new(move |request| Box::pin(serve(handle.clone(), request))))
}

fn route(serve: Rc<dyn Fn(ServiceRequest) -> Served>) -> Route {
    Route::new().service(fn_service(move |request| serve(request)))
}

async fn serve<F, Args>(handle: F, request: ServiceRequest) -> Result<ServiceResponse, Infallible>
where
    F: Handler<Args>,
    F::Output: Responder + 'static,
    Args: FromRequest + 'static,
{
    let (request, mut payload) = request.into_parts();
    let response = match Args::from_request(&request, &mut payload).await {
        Ok(args) => handle.call(args).await.respond_to(&request).map_into_boxed_body(),
        Err(error) => HttpResponse::from_error(error),
    };
    Ok(ServiceResponse::new(request, response))
}
