export { createFairQueue, type FairQueue, ownerShare as shareOfOwner } from './fair-queue.ts';
export { createOwnerCounts, type OwnerCounts } from './owner-counts.ts';
export { createOwnerSlots as createOwnerPlaces, type OwnerSlots as OwnerPlaces } from './owner-slots.ts';
export { createWaitingSlots as createTurns, type WaitingSlots as Turns } from './waiting-slots.ts';
