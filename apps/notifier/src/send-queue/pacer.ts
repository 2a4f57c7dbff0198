/** Waits for a nudge or until the poll is due; a nudge during work is not lost. */
export interface Pacer {
  nudge(): void;
  pause(): Promise<void>;
}

export function createPacer(pollMs: number): Pacer {
  let nudged = false;
  let wake: (() => void) | undefined;
  return {
    nudge() {
      nudged = true;
      wake?.();
    },
    async pause() {
      if (!nudged) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, pollMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        wake = undefined;
      }
      nudged = false;
    },
  };
}
