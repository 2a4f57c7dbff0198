import { type Bus, createBusClient } from '@rubrica/bus';
import * as generationContract from '@rubrica/contracts/services/schemas/generation';
import * as intakeContract from '@rubrica/contracts/services/schemas/intake';
import * as messagesContract from '@rubrica/contracts/services/schemas/notices';
import * as retentionContract from '@rubrica/contracts/services/schemas/retention';
import { type Keyring, outgoingHeaders, toAppError } from '@rubrica/process';
import type { AnyTRPCRouter } from '@trpc/server';
import type { z } from 'zod';

/** What the notifier asks of others. Failures are `AppError`s. */
export interface Peers {
  webhookEvent(eventId: string): Promise<intakeContract.WebhookEvent>;
  releaseBundle(requestId: string): Promise<generationContract.ReleasedBundle>;
  purgeBundles(requestIds: readonly string[]): Promise<unknown>;
  message(messageId: string): Promise<messagesContract.OutgoingMessage>;
  partnerContact(partnerId: string): Promise<intakeContract.PartnerContact>;
  /** The sealed secrets of a partner, for a call that belongs to no event. */
  partnerSigning(partnerId: string): Promise<intakeContract.PartnerSigning>;
}

type UntypedCall = (input: unknown) => Promise<unknown>;
type Untyped = Record<string, Record<string, { query: UntypedCall; mutate: UntypedCall }>>;

/**
 * Calls by path, checked against the contracts on this end too: the schemas are the agreement, so a peer of
 * another release is noticed here and not somewhere inside a delivery.
 */
export function createPeers({
  bus,
  keyring,
  timeoutMs,
}: {
  bus: Bus;
  keyring: Keyring;
  timeoutMs: number;
}): Peers {
  const client = (service: string) =>
    createBusClient<AnyTRPCRouter>(bus, {
      subjectPrefix: `rpc.v1.${service}`,
      timeoutMs,
      headers: () => outgoingHeaders(keyring, { kind: 'service', name: 'notifier' }),
    }) as unknown as Untyped;
  const intake = client('intake');
  const generation = client('generation');
  const checked = async <Output extends z.ZodType>(output: Output, call: Promise<unknown> | undefined) => {
    try {
      return output.parse(await call) as z.output<Output>;
    } catch (error) {
      throw toAppError(error);
    }
  };
  return {
    webhookEvent: (eventId) => checked(intakeContract.webhookEvent, intake.events?.get?.query({ eventId })),
    releaseBundle: (requestId) =>
      checked(generationContract.releasedBundle, generation.bundles?.release?.query({ requestId })),
    purgeBundles: (requestIds) =>
      checked(retentionContract.retentionDone, generation.bundles?.purge?.mutate({ requestIds })),
    message: (messageId) =>
      checked(messagesContract.outgoingMessage, intake.messages?.get?.query({ messageId })),
    partnerContact: (partnerId) =>
      checked(intakeContract.partnerContact, intake.partners?.contact?.query({ partnerId })),
    partnerSigning: (partnerId) =>
      checked(intakeContract.partnerSigning, intake.partners?.signing?.query({ partnerId })),
  };
}
