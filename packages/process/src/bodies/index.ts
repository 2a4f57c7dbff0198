export { type Allowance, type BudgetLimits, type ByteBudget, createByteBudget } from './byte-budget.ts';
export { awaitsContinue, holdContinue, sendContinue } from './expect-continue.ts';
export { createNetworkCounts, type NetworkCounts } from './network-counts.ts';
export type { Pace, PaceWatch } from './pace.ts';
export {
  type PieceTaker,
  type ReadLimits,
  readPieces,
  tooLarge,
  type WorkSlot,
  withBytes,
} from './read-bytes.ts';
export { createChunkCounter } from './small-chunks.ts';
