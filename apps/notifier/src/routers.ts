import type { operatorRouter } from './router.ts';

/** The type that callers build their clients from; the only thing of this service that others import. */
export type NotifierOperatorRouter = typeof operatorRouter;
