import { DAY_MS, HOUR_MS, MINUTE_MS } from '@rubrica/contracts/shared/durations';
import type { Database } from '@rubrica/database/connection';
import type { RowGuard } from '@rubrica/database/guarded';
import type { ServiceParts } from '@rubrica/process/runner';
import { assertEntryKey } from '../certificate/assert-entry-key.ts';
import { createReadSigned } from '../certificate/read-signed.ts';
import { startGuarding } from '../certificate/start-guarding.ts';
import { createStatusProof } from '../certificate/status-proof.ts';
import type { GenerationConfig } from '../config.ts';
import { createCrlLedger } from '../crl/crl-ledger.ts';
import { countRefusedLists } from '../crl/crl-metrics.ts';
import { createCrlSigner } from '../crl/crl-signer.ts';
import { type CrlAuthority, createSignNextCrl } from '../crl/sign-crl.ts';
import { createCheckedSigner } from '../issuers/checked-signer.ts';
import type { Issuers } from '../issuers/issuer.ts';
import { buildCrlUri } from '../issuers/publication.ts';
import { createAnswerOcsp } from '../ocsp/answer-ocsp.ts';
import { createOcspLedger } from '../ocsp/ocsp-ledger.ts';
import { createOcspSigner } from '../ocsp/sign-answers.ts';
import { createChangeStatus } from './change-status.ts';
import { createStatusLedger } from './status-ledger.ts';

/** Wires the changes of certificate status and its publication. */
export function buildStatus(
  config: GenerationConfig,
  { database, issuers, rows }: { database: Database; issuers: Issuers; rows: RowGuard },
  { logger, metrics, runner, clock: { bestKnown: clock } }: ServiceParts,
) {
  const { status } = config;
  const proof = createStatusProof({ database, rows, issuers });
  const crls = createCrlLedger(database, rows);
  const ocsp = createOcspSigner(issuers, { lifetimeMs: status.ocspLifetimeHours * HOUR_MS, clock });
  const ensureCrls = async (current: Issuers) => {
    const issuing = current.all.map(({ name }) => name);
    await crls.ensure(current.root === undefined ? issuing : [...issuing, current.root.name], [0]);
    const shards = Array.from({ length: status.crlShards }, (_, index) => index + 1);
    if (shards.length > 1) await crls.ensure(issuing, shards);
  };
  const signer = createCrlSigner({
    signNext: createSignNextCrl({
      ledger: crls,
      proof,
      authorities: () => crlAuthorities(config, issuers),
      shards: status.crlShards,
      leaseSeconds: status.crlLeaseSeconds,
    }),
    checkMs: status.crlCheckSeconds * 1_000,
    onRefused: countRefusedLists(metrics),
    logger,
  });
  return {
    crls,
    proof,
    readSigned: createReadSigned({ database, rows, issuers }),
    statusMaxAgeSeconds: status.maxAgeSeconds,
    changeStatus: createChangeStatus({
      ledger: createStatusLedger(database, rows),
      prepareAnswer: ({ issuer, serial }, standing) =>
        ocsp.signOne({ issuer, serial, hash: 'sha1', parameters: 'null', standing }),
      wakeCrlSigner: signer.wake,
      clock,
      logger,
    }),
    answerOcsp: createAnswerOcsp({
      ledger: createOcspLedger({ database, rows, proof }),
      signer: ocsp,
      clock,
      logger,
      maxAgeSeconds: status.maxAgeSeconds,
      freshAtOnce: status.ocspFreshAtOnce,
    }),
    /** Creates the CRLs that certificates will name, before certificates are issued. */
    ensureCrls,
    async start() {
      await assertEntryKey(database);
      await startGuarding(database);
      await ensureCrls(issuers);
      await crls.makeUnprovenDue();
      runner.own('CRL signer', signer.stop);
      signer.start();
    },
  };
}

function crlAuthorities(config: GenerationConfig, { all, root }: Issuers): CrlAuthority[] {
  const { crlLifetimeHours, rootCrlLifetimeDays, ...status } = config.status;
  const issuing = all.map(({ name, identity, sign, publicKey }) => ({
    name,
    identity,
    publicKey,
    sign: createCheckedSigner(sign, publicKey),
    lifetimeMs: crlLifetimeHours * HOUR_MS,
    // Shard 0 covers every certificate, so it has no distribution point, and programs that do not support one (NSS) can
    // read it.
    distributionPoint: (shard: number) =>
      shard === 0 ? undefined : buildCrlUri(config, { issuer: name, shard }),
    delta: {
      fromEntries: status.crlDeltaFromEntries,
      uri: buildCrlUri(config, { issuer: name, shard: 0, isDelta: true }),
      lifetimeMs: status.crlDeltaLifetimeMinutes * MINUTE_MS,
      restMs: status.crlCompleteMinutes * MINUTE_MS,
    },
  }));
  if (root === undefined) return issuing;
  const { name, identity, sign, publicKey } = root;
  return [
    ...issuing,
    {
      name,
      identity,
      publicKey,
      sign: createCheckedSigner(sign, publicKey),
      lifetimeMs: rootCrlLifetimeDays * DAY_MS,
      distributionPoint: () => undefined,
      delta: undefined,
    },
  ];
}
