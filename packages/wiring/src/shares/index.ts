export { createFairQueue, type FairQueue, ownerShare } from './fair-queue.ts';
export { createOwnerCounts, type OwnerCounts } from './owner-counts.ts';
export { createOwnerSlots, type OwnerSlots } from './owner-slots.ts';
export { createWaitingSlots, type WaitingSlots } from './waiting-slots.ts';
