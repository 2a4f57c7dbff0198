export { createFairQueue, type FairQueue, shareOfOwner } from './fair-queue.ts';
export { createOwnerCounts, type OwnerCounts } from './owner-counts.ts';
export { createOwnerPlaces, type OwnerPlaces } from './owner-places.ts';
export { createTurns, type Turns } from './turns.ts';
