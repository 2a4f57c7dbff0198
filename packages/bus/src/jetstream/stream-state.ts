import type { Bus } from '../connection/connect-bus.ts';
import { managerOf, orNothing } from './streams.ts';

export interface StreamState {
  /** RFC 3339, as is `firstAt`: a stream that was lost and made again has another. */
  readonly created: string;
  readonly messages: number;
  /** Of the oldest message in it. */
  readonly firstAt: string;
}

/** What a stream holds; undefined where there is none of this name. Rejects while nobody answers. */
export async function streamState(bus: Bus, stream: string): Promise<StreamState | undefined> {
  const manager = await managerOf(bus);
  const found = await orNothing(() => manager.streams.info(stream));
  if (found === undefined) return undefined;
  const { created, state } = found;
  return { created, messages: state.messages, firstAt: state.first_ts };
}
