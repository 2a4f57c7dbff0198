import type { OperatorRouterOf, ServiceRouterOf } from '@rubrica/wiring';

/** The types that callers build their clients from; the only thing of this service that others import. */
export type TermsServiceRouter = ServiceRouterOf<'terms'>;
export type TermsOperatorRouter = OperatorRouterOf<'terms'>;
