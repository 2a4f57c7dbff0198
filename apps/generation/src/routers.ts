import type { operatorRouter, serviceRouter } from './router.ts';

/** The types that callers build their clients from; the only thing of this service that others import. */
export type GenerationServiceRouter = typeof serviceRouter;
export type GenerationOperatorRouter = typeof operatorRouter;
