import type * as eventsContract from '@rubrica/contracts/services/schemas/events';
import { AppError, crashpoint } from '@rubrica/process';
import type { Peers } from '@rubrica/wiring';
import { crashPoints } from '../crash-points.ts';
import { formatLane, toDestination } from '../destinations/destination.ts';
import type { Batcher } from '../send-queue/batcher.ts';
import type { SendQueue } from '../send-queue/send-queue.ts';
import { NotGranted, OtherDestination } from '../signing/read-delivery-statement.ts';
import type { SigningSecrets } from '../signing/signing-secrets.ts';
import type { UnlessStored } from '../store/unless-stored.ts';
import { type ComposeDeps, type ComposedDelivery, composeDelivery } from './compose-delivery.ts';
import type { LeasedDelivery } from './delivery.store.ts';
import type { FreshBodies } from './fresh-bodies.ts';
import type { InsertedDelivery, NewDelivery } from './insert-deliveries.ts';

export interface ReceiveEventDeps extends ComposeDeps {
  readonly intake: Pick<Peers<'notifier'>['intake'], 'events.get'>;
  readonly insert: Pick<Batcher<NewDelivery, InsertedDelivery>, 'add'>;
  readonly unlessStored: UnlessStored;
  readonly queue: Pick<SendQueue<LeasedDelivery, Buffer>, 'tryReserve' | 'giveBack' | 'run' | 'nudge'>;
  readonly secrets: Pick<SigningSecrets, 'keep' | 'now'>;
  readonly freshBodies: Pick<FreshBodies, 'keep'>;
  /** Raises the alarm for a delivery that intake has not signed. */
  onNotGranted(deliveryId: string, err: Error): void;
}

/**
 * Turns a job into a delivery: requests event and bundle, builds the body, stores it sealed, and makes the first
 * attempt immediately if there is capacity. A repeated job stores and sends nothing, even if its event has ended since.
 * A delivery to a disabled destination is only stored.
 * @throws AppError when a peer cannot answer, or intake has not signed the answer; the job must then be redelivered
 */
export async function receiveEvent(
  { eventId, traceparent }: { eventId: string; traceparent: string | undefined },
  deps: ReceiveEventDeps,
): Promise<void> {
  const prepared = await deps.unlessStored(eventId, () => prepareDelivery(eventId, deps));
  if (prepared === undefined) return;
  const { event, composed } = prepared;
  const { fields, body, hasBundle } = composed;
  crashpoint(crashPoints.deliveryBeforeStore);
  const destination = toDestination(event.url);
  const delivery: NewDelivery = {
    ...fields,
    destination,
    traceparent: traceparent ?? null,
    bundleIssuedAt: hasBundle ? event.occurredAt : null,
    leased: deps.queue.tryReserve(withLane({ ...fields, destination })),
  };
  await storeAndStart(delivery, body, deps);
}

async function prepareDelivery(
  eventId: string,
  deps: ReceiveEventDeps,
): Promise<{ event: eventsContract.WebhookEvent; composed: ComposedDelivery }> {
  const requestedAt = deps.secrets.now();
  const event = await deps.intake['events.get']({ eventId });
  storeGrant({ eventId, event, requestedAt }, deps);
  return { event, composed: await composeDelivery(event, deps) };
}

/** Stores the grant before the delivery: a destination that intake has not signed never becomes a delivery. */
function storeGrant(
  {
    eventId,
    event,
    requestedAt,
  }: { eventId: string; event: eventsContract.WebhookEvent; requestedAt: number },
  { secrets, onNotGranted }: Pick<ReceiveEventDeps, 'secrets' | 'onNotGranted'>,
): void {
  const { partnerId, url, sealedSecrets, statement } = event;
  try {
    if (event.eventId !== eventId) throw new NotGranted(eventId, 'the answer is another event');
    secrets.keep({ id: eventId, partnerId, url }, { sealedSecrets, statement }, requestedAt);
  } catch (err) {
    if (!(err instanceof NotGranted || err instanceof OtherDestination)) throw err;
    onNotGranted(eventId, err);
    throw new AppError({ code: 'SERVICE_UNAVAILABLE', cause: err });
  }
}

function withLane<Item extends { readonly partnerId: string; readonly destination: string }>(
  item: Item,
): Item {
  return { ...item, destination: formatLane(item.partnerId, item.destination) };
}

async function storeAndStart(delivery: NewDelivery, body: Buffer, deps: ReceiveEventDeps): Promise<void> {
  const { queue, insert } = deps;
  let stored: InsertedDelivery | undefined;
  try {
    stored = await insert.add(delivery);
  } finally {
    if (delivery.leased && stored?.became !== 'DUE') queue.giveBack(withLane(delivery));
  }
  const { became, committed } = stored;
  if (became === 'DUE' && delivery.leased)
    queue.run({ ...withLane(delivery), roundAttempts: 0, fence: 1, committed }, body);
  // The job ends when its row is durable, not before.
  await committed;
  if (became !== 'DUE' || delivery.leased) return;
  deps.freshBodies.keep(delivery.id, body);
  queue.nudge();
}
