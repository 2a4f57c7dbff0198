import { type Bus, createBusClient } from '@rubrica/bus';
import * as retentionContract from '@rubrica/contracts/services/schemas/retention';
import { type Keyring, outgoingHeaders, toAppError } from '@rubrica/process';
import type { AnyTRPCRouter } from '@trpc/server';

/** Who else holds something of requests, and under which name they answer for it. */
export const retentionPeers = { generation: 'bundles', notifier: 'deliveries' } as const;
export type RetentionPeer = keyof typeof retentionPeers;
export const peerNames = Object.keys(retentionPeers) as RetentionPeer[];

/** What intake asks of each. Failures are `AppError`s. */
export interface RetentionPeers {
  /** Safe to repeat. */
  retain(peer: RetentionPeer, requests: readonly retentionContract.Retained[]): Promise<void>;
  holding(peer: RetentionPeer, requestIds: readonly string[]): Promise<retentionContract.PeerHoldings>;
}

/** An operator waits for it, and the sweeper comes again. */
const timeoutMs = 3_000;

type Call = (input: unknown) => Promise<unknown>;
type Untyped = Record<string, { retain: { mutate: Call }; holding: { query: Call } }>;

/** Answers are checked against the contract here too: a peer of another release is noticed. */
export function createRetentionPeers(bus: Bus, keyring: Keyring): RetentionPeers {
  const procedures = (peer: RetentionPeer) => {
    const client = createBusClient<AnyTRPCRouter>(bus, {
      subjectPrefix: `rpc.v1.${peer}`,
      timeoutMs,
      headers: () => outgoingHeaders(keyring, { kind: 'service', name: 'intake' }),
    }) as unknown as Untyped;
    return client[retentionPeers[peer]] as Untyped[string];
  };
  const clients = { generation: procedures('generation'), notifier: procedures('notifier') };
  return {
    async retain(peer, requests) {
      try {
        retentionContract.retentionDone.parse(await clients[peer].retain.mutate({ requests }));
      } catch (error) {
        throw toAppError(error);
      }
    },
    async holding(peer, requestIds) {
      try {
        return retentionContract.holdingOutput.parse(await clients[peer].holding.query({ requestIds }));
      } catch (error) {
        throw toAppError(error);
      }
    },
  };
}
