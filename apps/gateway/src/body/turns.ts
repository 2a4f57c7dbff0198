/** Lets one piece of long work run in each turn of the event loop, in the order in which they were asked for. */
export interface Turns {
  /** @returns what to wait for; undefined where the work may be done at once */
  take(): Promise<void> | undefined;
}

/** Calls back once the event loop has seen to everybody else. */
export type EndOfTurn = (next: () => void, waiting: number) => void;

/** More than these make a crowd. */
const maxEager = 2;
const crowdPauseMs = 1;

/**
 * A turn of the loop is enough for one or two. A crowd would fill every turn, and the processor with it, so that
 * everybody else's calls stood in line behind it: it gets one turn a millisecond, 64 MB of bodies a second.
 */
const yieldToOthers: EndOfTurn = (next, waiting) =>
  void (waiting > maxEager ? setTimeout(next, crowdPauseMs) : setImmediate(next));

export function createTurns(endOfTurn: EndOfTurn = yieldToOthers): Turns {
  const waiting: (() => void)[] = [];
  let isTaken = false;
  const next = () => {
    const go = waiting.shift();
    isTaken = go !== undefined;
    if (go === undefined) return;
    go();
    endOfTurn(next, waiting.length);
  };
  return {
    take() {
      if (isTaken) return new Promise((resolve) => waiting.push(resolve));
      isTaken = true;
      endOfTurn(next, waiting.length);
      return undefined;
    },
  };
}
