import type { Family } from '@rubrica/contracts/shared/enumerations';
import type { StatusRecord } from '@rubrica/contracts/shared/status';
import { formatLocalDateTime } from '@rubrica/process/time';
import { type Language, requirePartner } from '../../context.ts';
import { createIdentifier } from '../../fields/identifier.ts';
import type { Handler } from '../../http/handler.ts';
import { type Localizable, localize, setLanguageHeaders } from '../../http/localize.ts';
import type { RestDeps } from '../deps.ts';
import { isCurrentVersion } from './answer-version.ts';
import { formatRenewalTag } from './renewal-etag.ts';

/** Returns the current state of a request of `family`, with its version as ETag. */
export function createRequestStatus(deps: Pick<RestDeps, 'peers' | 'timeZone'>, family: Family): Handler {
  const identifier = createIdentifier(family);
  return async (request, reply) => {
    const record = await deps.peers.intake['requests.status'](identifier.fromQuery(request.query), {
      for: requirePartner(request),
    });
    const { language } = request.call;
    const version = { etag: formatEtag(record, language), status: record.status };
    setLanguageHeaders(language, reply);
    if (isCurrentVersion({ request, reply }, version)) return reply.code(304).send();
    return toStatus(record, { family, timeZone: deps.timeZone, language });
  };
}

/**
 * Formats the ETag. It includes the certificate's status, because a certificate expires without a new version of the
 * record, and the language of observations if not English.
 */
function formatEtag(record: StatusRecord, language: Language): string {
  const { version, certificateStatus } = record;
  const parts = [version, certificateStatus, language === 'en' ? null : language, formatRenewalTag(record)];
  return `"${parts.filter((part) => part !== null).join('-')}"`;
}

interface StatusOptions {
  readonly family: Family;
  readonly timeZone: string;
  readonly language: Language;
}

/** Converts the record to the field names of its family, in the service's time zone and the caller's language. */
export function toStatus(record: StatusRecord, { family, timeZone, language }: StatusOptions) {
  const formatTime = (instant: string) => formatLocalDateTime(new Date(instant), timeZone);
  const observe = <Observation extends Localizable & { createdDate: string }>(observation: Observation) => ({
    ...localize(observation, language),
    createdDate: formatTime(observation.createdDate),
  });
  const { requestId, version: _version, ...rest } = record;
  return {
    ...createIdentifier(family).answer(requestId),
    ...rest,
    observation: record.observation && observe(record.observation),
    observations: record.observations.map(observe),
    notBefore: record.notBefore && formatTime(record.notBefore),
    notAfter: record.notAfter && formatTime(record.notAfter),
    createdDate: formatTime(record.createdDate),
    updatedDate: formatTime(record.updatedDate),
  };
}
