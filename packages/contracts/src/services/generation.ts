import { z } from 'zod';
import { anyone, type Call, call, partner, service } from './call.ts';
import {
  certificateByRequestInput,
  certificateState,
  ocspAnswer,
  ocspInput,
  pkiFile,
  pkiFileInput,
  pkiIndex,
  releaseBundleInput,
  releasedBundle,
  revokeForPartnerInput,
  revokeSupersededInput,
} from './schemas/generation.ts';
import { listCertificatesInput, listCertificatesOutput } from './schemas/lists.ts';
import {
  holdingInput,
  holdingOutput,
  purgeBundlesInput,
  retainInput,
  retentionResult,
} from './schemas/retention.ts';
import { revokeForSubscriberInput } from './schemas/revocations.ts';

/** A status must not wait long for a generation that is down: intake answers with the last known state instead. */
const statusTimeoutMs = 1_000;
/** Re-encoding a file takes half a second of an idle core. */
const releaseTimeoutMs = 15_000;
/** Callers wait longer for a revocation than for other calls. */
const revokeTimeoutMs = 8_000;
/** An operator waits for the answer, and the sweeper repeats the call. */
const retentionTimeoutMs = 3_000;

/** Calls that generation answers. */
export const generationCalls = {
  'bundles.release': call({
    kind: 'query',
    about: 'file and password of a request, sealed to the caller, for a grant from intake',
    callers: ['notifier', 'gateway'],
    actsFor: service,
    input: releaseBundleInput,
    output: releasedBundle,
    timeoutMs: releaseTimeoutMs,
    repeat: 'idempotent',
  }),
  'bundles.purge': call({
    kind: 'mutation',
    about: 'purges bundles whose copies the notifier has purged, for a grant from intake',
    callers: ['notifier'],
    actsFor: service,
    input: purgeBundlesInput,
    output: retentionResult,
    repeat: 'idempotent',
  }),
  'bundles.retain': call({
    kind: 'mutation',
    about: 'applies legal holds, erasures and ends of retrievals',
    callers: ['intake'],
    actsFor: service,
    input: retainInput,
    output: retentionResult,
    timeoutMs: retentionTimeoutMs,
    repeat: 'idempotent',
  }),
  'bundles.holding': call({
    kind: 'query',
    about: 'data of requests that generation stores, with end and reason',
    callers: ['intake'],
    actsFor: service,
    input: holdingInput,
    output: holdingOutput,
    timeoutMs: retentionTimeoutMs,
    repeat: 'idempotent',
  }),
  'certificates.byRequest': call({
    kind: 'query',
    about: 'state of the certificate of a request',
    callers: ['intake'],
    actsFor: service,
    input: certificateByRequestInput,
    output: certificateState,
    timeoutMs: statusTimeoutMs,
    repeat: 'idempotent',
  }),
  'certificates.list': call({
    kind: 'query',
    takesTurns: true,
    about: 'certificates of a partner, newest first, by filters',
    callers: ['gateway'],
    actsFor: partner('status:read'),
    input: listCertificatesInput,
    output: listCertificatesOutput,
    repeat: 'idempotent',
  }),
  'certificates.revoke': call({
    kind: 'mutation',
    about: 'revokes a certificate that belongs to the partner, as intake has checked',
    callers: ['intake'],
    actsFor: partner('certificates:revoke'),
    input: revokeForPartnerInput,
    output: certificateState,
    timeoutMs: revokeTimeoutMs,
  }),
  'certificates.revokeForSubscriber': call({
    kind: 'mutation',
    about: 'revokes a certificate whose subscriber has proven a code to intake',
    callers: ['intake'],
    actsFor: service,
    input: revokeForSubscriberInput,
    output: certificateState,
    timeoutMs: revokeTimeoutMs,
  }),
  'certificates.revokeSuperseded': call({
    kind: 'mutation',
    about: 'revokes a certificate that an issued renewal replaces',
    callers: ['intake'],
    actsFor: service,
    input: revokeSupersededInput,
    output: certificateState,
    timeoutMs: revokeTimeoutMs,
  }),
  'pki.file': call({
    kind: 'query',
    about: 'a published file, `{name}.cer` or `{name}.crl`',
    callers: ['gateway', 'intake'],
    actsFor: anyone,
    input: pkiFileInput,
    output: pkiFile,
    repeat: 'idempotent',
  }),
  'pki.index': call({
    kind: 'query',
    about: 'names of the root and of the issuing authority',
    callers: ['intake'],
    actsFor: anyone,
    input: z.object({}).optional(),
    output: pkiIndex,
    repeat: 'idempotent',
  }),
  'pki.ocsp': call({
    kind: 'query',
    about: 'an OCSP response to an OCSP request',
    callers: ['gateway'],
    actsFor: anyone,
    input: ocspInput,
    output: ocspAnswer,
    repeat: 'idempotent',
  }),
} as const satisfies Record<string, Call>;
