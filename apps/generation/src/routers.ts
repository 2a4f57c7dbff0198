import type { OperatorRouterOf, ServiceRouterOf } from '@rubrica/wiring';

/** The types that callers build their clients from; the only thing of this service that others import. */
export type GenerationServiceRouter = ServiceRouterOf<'generation'>;
export type GenerationOperatorRouter = OperatorRouterOf<'generation'>;
