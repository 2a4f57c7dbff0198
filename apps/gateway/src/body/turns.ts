/** Lets one piece of long work run in each turn of the event loop, in the order in which they were asked for. */
export interface Turns {
  /** @returns what to wait for; undefined where the work may be done at once */
  take(): Promise<void> | undefined;
}

/** @param endOfTurn calls back once the loop has seen to everybody else */
export function createTurns(endOfTurn: (next: () => void) => void = setImmediate): Turns {
  const waiting: (() => void)[] = [];
  let isTaken = false;
  const next = () => {
    const go = waiting.shift();
    isTaken = go !== undefined;
    if (go === undefined) return;
    go();
    endOfTurn(next);
  };
  return {
    take() {
      if (isTaken) return new Promise((resolve) => waiting.push(resolve));
      isTaken = true;
      endOfTurn(next);
      return undefined;
    },
  };
}
