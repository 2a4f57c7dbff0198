import type { Bus } from '../connection/connect-bus.ts';
import type { RequestLane } from '../connection/request-mux.ts';
import { cancelToken } from '../wire/subjects.ts';

export interface CancelDeps {
  readonly bus: Bus;
  readonly requests: RequestLane;
  readonly options: { readonly subjectPrefix: string };
}

const nothing = new Uint8Array(0);

/** Cancels a message whose answer nobody wants any more: forgets it and tells the server, unless it was answered. */
export function cancel({ bus, requests, options }: CancelDeps, reply: string, subject: string): void {
  if (!requests.forget(reply)) return;
  try {
    // The reply subject identifies the message; every copy of the server receives the cancel.
    bus.nc.publish(`${options.subjectPrefix}.${cancelToken}`, nothing, { reply });
  } catch (error) {
    bus.fault(error, `cancel of ${subject}`);
  }
}
