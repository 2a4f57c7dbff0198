import type { OperatorRouterOf, ServiceRouterOf } from '@rubrica/wiring';

/** The types that callers build their clients from; the only thing of this service that others import. */
export type NotifierServiceRouter = ServiceRouterOf<'notifier'>;
export type NotifierOperatorRouter = OperatorRouterOf<'notifier'>;
