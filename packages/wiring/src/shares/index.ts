export { createFairQueue, type FairQueue, shareOfOwner } from './fair-queue.ts';
export { createOwnerCounts, type OwnerCounts } from './owner-counts.ts';
export { createTurns, type Turns } from './turns.ts';
