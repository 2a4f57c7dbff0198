import type { Bus } from '../connection/connect-bus.ts';
import { ignoreNotFound, openManager } from './streams.ts';

export interface StreamState {
  /** RFC 3339, like `firstAt`. A stream that was lost and created again has another value. */
  readonly created: string;
  readonly messages: number;
  /** Time of the oldest message in it. */
  readonly firstAt: string;
}

/** Reads the state of a stream; undefined if there is none of this name. Rejects while nobody answers. */
export async function streamState(bus: Bus, stream: string): Promise<StreamState | undefined> {
  const manager = await openManager(bus);
  const found = await ignoreNotFound(() => manager.streams.info(stream));
  if (found === undefined) return undefined;
  const { created, state } = found;
  return { created, messages: state.messages, firstAt: state.first_ts };
}
