import type { OperatorOutput } from '../../client/trpc.ts';

/** Request in review. */
export type Case = OperatorOutput<'reviews.get'>;
