import type * as eventsContract from '@rubrica/contracts/services/schemas/events';
import { AppError, crashpoint } from '@rubrica/process';
import type { Peers } from '@rubrica/wiring';
import { crashPoints } from '../crash-points.ts';
import { destinationOf, laneOf } from '../destinations/destination.ts';
import type { Batcher } from '../send-queue/batcher.ts';
import type { SendQueue } from '../send-queue/send-queue.ts';
import { NotGranted, OtherDestination } from '../signing/read-delivery-statement.ts';
import type { SigningSecrets } from '../signing/signing-secrets.ts';
import type { UnlessStored } from '../store/unless-stored.ts';
import { type ComposeDeps, type Composed, composeDelivery } from './compose-delivery.ts';
import type { LeasedDelivery } from './delivery.store.ts';
import type { FreshBodies } from './fresh-bodies.ts';
import type { NewDelivery, Stored } from './insert-deliveries.ts';

export interface ReceiveEventDeps extends ComposeDeps {
  readonly intake: Pick<Peers<'notifier'>['intake'], 'events.get'>;
  readonly insert: Pick<Batcher<NewDelivery, Stored>, 'add'>;
  readonly unlessStored: UnlessStored;
  readonly queue: Pick<SendQueue<LeasedDelivery, Buffer>, 'tryReserve' | 'giveBack' | 'run' | 'nudge'>;
  readonly secrets: Pick<SigningSecrets, 'keep' | 'now'>;
  readonly freshBodies: Pick<FreshBodies, 'keep'>;
  /** The alarm: intake has not signed that this may be sent. */
  onNotGranted(deliveryId: string, err: Error): void;
}

/**
 * Turns a job into a delivery: asks for event and bundle, fixes the body, stores it sealed, and makes the first
 * attempt at once where there is room. The same job twice stores nothing new and sends nothing, whatever is left of its
 * event by then; what is for a disabled destination is stored only.
 * @throws AppError when a peer cannot answer, or intake has not signed the answer; the job then has to come again
 */
export async function receiveEvent(
  { eventId, traceparent }: { eventId: string; traceparent: string | undefined },
  deps: ReceiveEventDeps,
): Promise<void> {
  const prepared = await deps.unlessStored(eventId, () => prepare(eventId, deps));
  if (prepared === undefined) return;
  const { event, composed } = prepared;
  const { fields, body, hasBundle } = composed;
  crashpoint(crashPoints.deliveryBeforeStore);
  const destination = destinationOf(event.url);
  const delivery: NewDelivery = {
    ...fields,
    destination,
    traceparent: traceparent ?? null,
    bundleIssuedAt: hasBundle ? event.occurredAt : null,
    leased: deps.queue.tryReserve(inLane({ ...fields, destination })),
  };
  await storeAndStart(delivery, body, deps);
}

async function prepare(
  eventId: string,
  deps: ReceiveEventDeps,
): Promise<{ event: eventsContract.WebhookEvent; composed: Composed }> {
  const askedAt = deps.secrets.now();
  const event = await deps.intake['events.get']({ eventId });
  keepGrant({ eventId, event, askedAt }, deps);
  return { event, composed: await composeDelivery(event, deps) };
}

/** Before anything is stored: a destination that intake has not signed becomes no delivery. */
function keepGrant(
  { eventId, event, askedAt }: { eventId: string; event: eventsContract.WebhookEvent; askedAt: number },
  { secrets, onNotGranted }: Pick<ReceiveEventDeps, 'secrets' | 'onNotGranted'>,
): void {
  const { partnerId, url, sealedSecrets, statement } = event;
  try {
    if (event.eventId !== eventId) throw new NotGranted(eventId, 'the answer is another event');
    secrets.keep({ id: eventId, partnerId, url }, { sealedSecrets, statement }, askedAt);
  } catch (err) {
    if (!(err instanceof NotGranted || err instanceof OtherDestination)) throw err;
    onNotGranted(eventId, err);
    throw new AppError({ code: 'SERVICE_UNAVAILABLE', cause: err });
  }
}

function inLane<Item extends { readonly partnerId: string; readonly destination: string }>(item: Item): Item {
  return { ...item, destination: laneOf(item.partnerId, item.destination) };
}

async function storeAndStart(delivery: NewDelivery, body: Buffer, deps: ReceiveEventDeps): Promise<void> {
  const { queue, insert } = deps;
  let stored: Stored | undefined;
  try {
    stored = await insert.add(delivery);
  } finally {
    if (delivery.leased && stored?.became !== 'DUE') queue.giveBack(inLane(delivery));
  }
  const { became, committed } = stored;
  if (became === 'DUE' && delivery.leased)
    queue.run({ ...inLane(delivery), roundAttempts: 0, fence: 1, committed }, body);
  // The job is over when its row is on file, and not before.
  await committed;
  if (became !== 'DUE' || delivery.leased) return;
  deps.freshBodies.keep(delivery.id, body);
  queue.nudge();
}
