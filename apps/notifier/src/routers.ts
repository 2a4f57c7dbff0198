import type { operatorRouter, serviceRouter } from './router.ts';

/** The types that callers build their clients from; the only thing of this service that others import. */
export type NotifierOperatorRouter = typeof operatorRouter;
export type NotifierServiceRouter = typeof serviceRouter;
