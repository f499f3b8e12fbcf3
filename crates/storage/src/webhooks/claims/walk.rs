//! The walk through the companies and webhooks that have open deliveries.

use diesel::QueryableByName;
use diesel::sql_types::Nullable;
use uuid::Uuid;

use contact_hub_domain::ids::{CompanyId, WebhookId};
use contact_hub_domain::webhooks::{Claim, Walk};

use super::take::attempts_of;
use crate::columns::{Id, IdValue};
use crate::connection::Connection;
use crate::dialect::Source;
use crate::failure::Failure;
use crate::statement::{Bind, Statement, sql, statement};

/// The maximum number of companies that a claim visits.
const COMPANIES: usize = 64;

/// The maximum number of webhooks of one company that a claim visits.
const WEBHOOKS: usize = 128;

/// The maximum number of webhooks that a claim visits.
const VISITS: usize = 512;

/// A visited webhook, or a company that is at its limit of deliveries in progress.
#[derive(QueryableByName)]
struct Visit {
    #[diesel(sql_type = Id)]
    company_id: IdValue,
    #[diesel(sql_type = Nullable<Id>)]
    webhook_id: Option<IdValue>,
}

/// The result of a walk.
pub(super) struct Visited {
    /// The webhooks.
    pub(super) webhooks: Vec<Uuid>,
    /// Where the next walk begins.
    pub(super) next: Walk,
}

pub(super) fn walk(connection: &mut Connection, claim: &Claim) -> Result<Visited, Failure> {
    let visits: Vec<Visit> = connection.rows(statement_of(connection, claim))?;
    let next = next_walk(&claim.walk, &visits);
    let webhooks = visits.iter().filter_map(|visit| visit.webhook_id).map(|id| id.0).collect();
    Ok(Visited { webhooks, next })
}

/// Where the next walk begins: after the last company unless it was the last of all, and within a company after its
/// last webhook unless it was the last one.
fn next_walk(before: &Walk, visits: &[Visit]) -> Walk {
    let mut within = before.within.clone();
    let mut companies = 0;
    for visited in visits.chunk_by(|one, other| one.company_id == other.company_id) {
        companies += 1;
        let Some(Visit { company_id, webhook_id: Some(last) }) = visited.last() else { continue };
        let company = CompanyId::new(company_id.0);
        within.retain(|(other, _)| *other != company);
        let is_cut =
            visits.len() == VISITS && visits.last().is_some_and(|it| it.company_id == *company_id);
        if is_cut || visited.len() == WEBHOOKS {
            within.push((company, WebhookId::new(last.0)));
        }
    }
    let has_more = companies == COMPANIES || visits.len() == VISITS;
    let after = visits.last().filter(|_| has_more).map(|last| CompanyId::new(last.company_id.0));
    Walk { after, within }
}

pub(super) fn statement_of(connection: &Connection, claim: &Claim) -> Statement {
    let within = Source::of(&claim.walk.within)
        .ids("company_id", |(company, _)| company.uuid())
        .ids("webhook_id", |(_, webhook)| webhook.uuid());
    let after = Bind::Id(IdValue(claim.walk.after.map_or_else(Uuid::nil, CompanyId::uuid)));
    let nil = Bind::Id(IdValue(Uuid::nil()));
    let attempts = attempts_of(claim, "busy");
    // After which webhook the walk within a company begins.
    let begin = sql!(
        "COALESCE((SELECT source.webhook_id FROM {} WHERE source.company_id = busy.id), ?)",
        within.table(connection),
    );
    let companies = companies().bind(after);
    let walk = match connection {
        Connection::Postgres(_) => postgres(companies, attempts, begin.bind(nil)),
        Connection::Sqlite(_) => sqlite(companies, attempts, begin.bind(nil)),
    };
    walk.bind(i64::from(claim.per_company))
}

/// The next company, or the next webhook or row of the company, that has open deliveries. The order names the columns
/// of the index of what is due. Otherwise PostgreSQL could walk along an index of all deliveries, since its statistics
/// still say that most are open when a large backlog has just been closed.
fn next(column: &'static str, condition: impl Into<Statement>, order: &'static str) -> Statement {
    sql!(
        "(SELECT {} FROM deliveries WHERE due_at IS NOT NULL AND {} \
         ORDER BY {}, generation, urgency, due_at, id LIMIT 1)",
        column,
        condition.into(),
        order
    )
}

/// The companies, one step after the other.
fn companies() -> Statement {
    let first = next("company_id", "company_id > ?", "company_id, webhook_id");
    let step = next("company_id", "company_id > companies.id", "company_id, webhook_id");
    sql!(
        "companies (id) AS (SELECT {} UNION ALL SELECT {} FROM companies WHERE companies.id IS NOT NULL",
        first,
        step
    )
}

fn postgres(companies: Statement, attempts: Statement, begin: Statement) -> Statement {
    let of_company = |after: Statement| {
        next("webhook_id", sql!("company_id = busy.id AND webhook_id > {}", after), "webhook_id")
    };
    let (first, step) = (of_company(begin), of_company(statement("walk.webhook_id")));
    // The condition is within the walk, so that a company at its limit is not walked at all.
    sql!(
        "WITH RECURSIVE {companies}), \
         busy AS MATERIALIZED (SELECT id, {attempts} AS attempts FROM (SELECT id FROM companies WHERE id IS NOT NULL \
         LIMIT {most_companies}) AS busy) \
         SELECT busy.id AS company_id, open.webhook_id FROM busy \
         LEFT JOIN LATERAL (WITH RECURSIVE walk (webhook_id) AS (SELECT {first} UNION ALL SELECT {step} FROM walk \
         WHERE walk.webhook_id IS NOT NULL) \
         SELECT webhook_id FROM walk WHERE webhook_id IS NOT NULL AND busy.attempts < ? LIMIT {most_webhooks}) AS open \
         ON true LIMIT {most}",
        companies = companies,
        attempts = attempts,
        most_companies = COMPANIES,
        first = first,
        step = step,
        most_webhooks = WEBHOOKS,
        most = VISITS,
    )
}

/// SQLite has no LATERAL; a list of row ids that depends on the company does the same.
fn sqlite(companies: Statement, attempts: Statement, begin: Statement) -> Statement {
    let of_company = |after: Statement| {
        next("rowid", sql!("company_id = busy.id AND webhook_id > {}", after), "webhook_id")
    };
    let before = statement("(SELECT webhook_id FROM deliveries WHERE rowid = walk.row)");
    let (first, step) = (of_company(begin), of_company(before));
    sql!(
        "WITH RECURSIVE {companies} LIMIT {most_companies} + 1), \
         busy AS MATERIALIZED (SELECT id, {attempts} AS attempts FROM (SELECT id FROM companies WHERE id IS NOT NULL \
         LIMIT {most_companies}) AS busy) \
         SELECT busy.id AS company_id, open.webhook_id FROM busy LEFT JOIN deliveries AS open ON open.rowid IN \
         (WITH RECURSIVE walk (row) AS (SELECT {first} UNION ALL SELECT {step} FROM walk \
         WHERE walk.row IS NOT NULL LIMIT {most_webhooks}) SELECT row FROM walk WHERE row IS NOT NULL) \
         AND busy.attempts < ? ORDER BY busy.id, open.webhook_id LIMIT {most}",
        companies = companies,
        most_companies = COMPANIES,
        attempts = attempts,
        first = first,
        step = step,
        most_webhooks = WEBHOOKS,
        most = VISITS,
    )
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use contact_hub_domain::ids::{CompanyId, WebhookId};
    use contact_hub_domain::webhooks::Walk;

    use super::{COMPANIES, VISITS, Visit, WEBHOOKS, next_walk};
    use crate::columns::IdValue;

    fn id(number: usize) -> Uuid {
        Uuid::from_u128(u128::try_from(number).expect("small"))
    }

    /// Visits to this many webhooks of a company.
    fn visits(company: usize, webhooks: usize) -> Vec<Visit> {
        let visit = |webhook| Visit {
            company_id: IdValue(id(company)),
            webhook_id: Some(IdValue(id(webhook))),
        };
        (1..=webhooks).map(visit).collect()
    }

    #[test]
    fn a_walk_starts_again_after_its_end() {
        assert_eq!(next_walk(&Walk::default(), &[]), Walk::default());
        assert_eq!(next_walk(&Walk::default(), &visits(1, 3)), Walk::default());
        let many: Vec<Visit> = (1..=COMPANIES).flat_map(|company| visits(company, 1)).collect();
        let next = next_walk(&Walk::default(), &many);
        assert_eq!(next.after, Some(CompanyId::new(id(COMPANIES))));
        assert_eq!(next.within, []);
    }

    #[test]
    fn a_company_with_many_webhooks_is_continued() {
        let company = CompanyId::new(id(1));
        let next = next_walk(&Walk::default(), &visits(1, WEBHOOKS));
        assert_eq!(next.within, [(company, WebhookId::new(id(WEBHOOKS)))]);
        let done = next_walk(&next, &visits(1, WEBHOOKS - 1));
        assert_eq!(done.within, []);
        // A company at its limit is skipped and keeps its place.
        let full = Visit { company_id: IdValue(id(1)), webhook_id: None };
        assert_eq!(next_walk(&next, &[full]).within, next.within);
    }

    #[test]
    fn a_truncated_walk_continues_after_its_last_company() {
        let mut many: Vec<Visit> =
            (1..=4).flat_map(|company| visits(company, WEBHOOKS - 1)).collect();
        many.extend(visits(5, VISITS - many.len()));
        let next = next_walk(&Walk::default(), &many);
        assert_eq!(next.after, Some(CompanyId::new(id(5))));
        assert_eq!(next.within, [(CompanyId::new(id(5)), WebhookId::new(id(4)))]);
    }
}
