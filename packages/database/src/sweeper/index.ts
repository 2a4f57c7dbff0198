export { purgeOutbox } from './purge-tasks.ts';
export { type RepublishDue, republishDue } from './republish-due.ts';
export { createSweeper, type Sweeper, type SweeperOptions, type SweeperTask } from './sweeper.ts';
