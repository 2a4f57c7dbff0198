import type { OperatorRouterOf, ServiceRouterOf } from '@rubrica/wiring';

/** The types that callers build their clients from; the only thing of this service that others import. */
export type IntakeServiceRouter = ServiceRouterOf<'intake'>;
export type IntakeOperatorRouter = OperatorRouterOf<'intake'>;
