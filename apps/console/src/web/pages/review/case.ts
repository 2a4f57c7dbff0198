import type { OperatorOutput } from '../../client/trpc.ts';

/** A request that a reviewer looks at. */
export type Case = OperatorOutput<'reviews.get'>;
