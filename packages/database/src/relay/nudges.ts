import type { Emitted } from '../outbox/emitted.ts';
import type { Pacer } from './pacer.ts';

/** Notifications of a relay about commits that emitted. */
export interface Nudges {
  /** Reports committed rows: a registered taker gets them immediately from memory, otherwise the table is read. */
  add(emitted?: Emitted): void;
  /** Tells whether the table is to be read, since the last call. */
  take(): boolean;
  /** Passes rows to `taker` first, which returns whether it has taken all of them. */
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
