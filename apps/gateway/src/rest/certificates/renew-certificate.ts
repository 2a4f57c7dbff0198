import { createText } from '@rubrica/contracts/error-texts/create-text';
import { regularFileNames, regularFiles } from '@rubrica/contracts/rest/regular';
import { renewedCertificateShape, renewedFieldsShape } from '@rubrica/contracts/rest/renewal';
import type * as requestsContract from '@rubrica/contracts/services/schemas/requests';
import type { ErrorDetail } from '@rubrica/contracts/shared/errors';
import * as field from '@rubrica/contracts/shared/fields';
import { fieldFault } from '@rubrica/process/errors';
import { formatTimestamp, uuidv7 } from '@rubrica/process/time';
import type { z } from 'zod';
import { createOperationBodyPlan, fileLimits, type SealedBody } from '../../body/body.ts';

import { type Language, requirePartner } from '../../context.ts';
import { assertFaultless } from '../../fields/assert-faultless.ts';
import { createIdentifier } from '../../fields/identifier.ts';
import { parseFields } from '../../fields/parse-fields.ts';
import type { Handler } from '../../http/handler.ts';
import { localize, setLanguageHeaders } from '../../http/localize.ts';
import { setQuotaHeaders } from '../../http/quota-headers.ts';
import type { RestDeps } from '../deps.ts';
import { checkEvidences, evidenceFilePath } from '../evidence/check-evidences.ts';
import { checkNamedFiles } from '../evidence/check-named-files.ts';
import { findIgnored, planBody, readDryRun } from '../requests/dry-run.ts';

const secretShape = { password: field.password.optional() } as const;

type RenewOutput = z.output<typeof requestsContract.renewOutput>;
type RenewInput = Omit<requestsContract.RenewInput, 'evidence'>;

/**
 * Renews a certificate of the calling partner: a registration in the previous request's family, which intake knows and
 * which determines the accepted fields. The new request's id is created here, before any upload.
 */
export function createRenewCertificate(
  deps: Pick<RestDeps, 'peers' | 'readJsonBody' | 'bundleFiles' | 'sealPassword' | 'limits' | 'timeZone'>,
): Handler {
  const plan = createOperationBodyPlan('renewCertificate', deps.limits, [
    ...regularFileNames,
    evidenceFilePath,
  ]);
  const limits = fileLimits(deps.limits);
  return async (request, reply) => {
    const dryRun = readDryRun(request);
    const body = await deps.readJsonBody(request, planBody(plan, dryRun));
    const evidences = checkEvidences(body, limits);
    const named = checkNamedFiles(body, regularFiles, limits);
    const found = [...dryRun.faults, ...named.faults, ...(evidences?.faults ?? [])];
    const input = await toInput(body, { found, files: named.files }, deps);
    const { language } = request.call;
    const options = { for: requirePartner(request) };
    const errors = evidences?.errors ?? [];
    if (dryRun.isDry) {
      const { family, warnings } = await deps.peers.intake['certificates.renewDryRun'](input, options);
      setLanguageHeaders(language, reply);
      return {
        valid: family !== 'TV' || errors.length === 0,
        warnings: [...warnings, ...findIgnored({ operation: 'renewCertificate', fields: body.fields })].map(
          (item) => localize(item, language),
        ),
        ...(family === 'TV' && errors.length > 0
          ? { errors: errors.map((item) => localize(item, language)) }
          : {}),
      };
    }
    const items = [...named.items, ...(evidences?.items ?? [])];
    // The family may not accept a faulty field: intake decides, and its sweep removes refused files.
    const hasFiles = items.length + errors.length > 0;
    const fullInput = hasFiles
      ? { ...input, evidence: await deps.bundleFiles(input.requestId, { body, items, errors }) }
      : input;
    const renewed = await deps.peers.intake['certificates.renew'](fullInput, options);
    setQuotaHeaders(reply, renewed.quota);
    if (renewed.errors.length > 0) setLanguageHeaders(language, reply);
    return toResult(renewed, { timeZone: deps.timeZone, language });
  };
}

interface BodyFaults {
  readonly found: readonly ErrorDetail[];
  readonly files: RenewInput['files'];
}

/**
 * Builds the input.
 * @throws AppError with all faults where no certificate is named, because intake then cannot add its own
 */
async function toInput(
  body: SealedBody,
  { found, files }: BodyFaults,
  deps: Pick<RestDeps, 'sealPassword'>,
): Promise<RenewInput> {
  const requestId = uuidv7();
  const named = parseFields(renewedCertificateShape, body.fields);
  const given = parseFields(renewedFieldsShape, body.fields);
  const secret = parseFields(secretShape, body.fields);
  const { serialNumber, referenceTransaction, newReferenceTransaction, supersede = false } = named.values;
  const faults = [
    ...named.faults,
    ...checkNamed(named.values, named.faults),
    ...given.faults,
    ...secret.faults,
    ...found,
  ];
  const isNamed = serialNumber !== undefined || referenceTransaction !== undefined;
  if (!isNamed || newReferenceTransaction === undefined) assertFaultless(faults);
  if (newReferenceTransaction === undefined)
    throw new Error('a faultless body has a newReferenceTransaction');
  const { password } = secret.values;
  return {
    requestId,
    ...(serialNumber === undefined ? {} : { serialNumber }),
    ...(referenceTransaction === undefined ? {} : { referenceTransaction }),
    newReferenceTransaction,
    fields: given.values as Record<string, string | boolean>,
    faults,
    files,
    supersede,
    ...(password === undefined ? {} : { sealedPassword: await deps.sealPassword(password, requestId) }),
  };
}

function checkNamed(
  { serialNumber, referenceTransaction }: { serialNumber?: string; referenceTransaction?: string },
  faults: readonly ErrorDetail[],
): ErrorDetail[] {
  const isFaulty = faults.some(
    ({ field: name }) => name === 'serialNumber' || name === 'referenceTransaction',
  );
  if (isFaulty || serialNumber !== undefined || referenceTransaction !== undefined) return [];
  return [fieldFault('FIELD_REQUIRED', 'serialNumber', createText('field.orReferenceRequired'))];
}

/** Builds the answer of the family's own registration, with the renewed certificate. */
function toResult(
  { requestId, family, referenceTransaction, status, validationStatus, createdAt, ...renewed }: RenewOutput,
  { timeZone, language }: { readonly timeZone: string; readonly language: Language },
) {
  const errors = renewed.errors.map((item) => localize(item, language));
  const message = errors
    .map((item) => item.message)
    .join('; ')
    .slice(0, 1_000);
  return {
    ...createIdentifier(family).answer(requestId),
    referenceTransaction,
    ...(family === 'FR' ? {} : { status, validationStatus }),
    createdAt: formatTimestamp(new Date(createdAt), timeZone),
    ...(errors.length > 0 ? { message } : {}),
    ...(family === 'TV' ? { errors } : {}),
    renewalOf: renewed.renewalOf,
  };
}
