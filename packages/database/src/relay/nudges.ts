import type { Emitted } from '../outbox/emitted.ts';
import type { Pacer } from './pacer.ts';

/** What a relay hears of commits that emitted. */
export interface Nudges {
  /** Rows were committed: whoever takes them from memory does so at once, else the table is looked at. */
  add(emitted?: Emitted): void;
  /** Whether the table is to be looked at, since last asked. */
  take(): boolean;
  /** Rows go to `taker` first, which says whether it has taken all of them. */
  handTo(taker: (emitted: Emitted) => boolean): Disposable;
}

export function createNudges(pacer: Pick<Pacer, 'request'>): Nudges {
  let pending = false;
  let taker: ((emitted: Emitted) => boolean) | undefined;
  return {
    add(emitted) {
      if (emitted !== undefined && taker?.(emitted)) return;
      pending = true;
      pacer.request(0);
    },
    take() {
      const taken = pending;
      pending = false;
      return taken;
    },
    handTo(next) {
      taker = next;
      return {
        [Symbol.dispose]() {
          taker = undefined;
        },
      };
    },
  };
}
