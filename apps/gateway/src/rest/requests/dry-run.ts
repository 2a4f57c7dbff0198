import { type DryRunResult, dryRunQuery, dryRunSuffix } from '@rubrica/contracts/rest/dry-run';
import type * as requestsContract from '@rubrica/contracts/services/schemas/requests';
import type { ErrorDetail } from '@rubrica/contracts/shared/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BodyPlan } from '../../body/body.ts';
import { type Language, type PartnerCaller, partnerOf } from '../../context.ts';
import { parseQuery } from '../../fields/parse-query.ts';
import { localize, setLanguageHeaders } from '../../http/localize.ts';
import type { RestDeps } from '../deps.ts';
import { findIgnored, type GivenBody } from './find-ignored.ts';

/** Whether a registration is only asked about. */
export interface Asked {
  readonly isDry: boolean;
  /** Of the parameter: reported with those of the body. */
  readonly faults: readonly ErrorDetail[];
  /** Files of a body that is only asked about are looked at, and kept nowhere. */
  planOf(plan: BodyPlan): BodyPlan;
}

/** An address of its own, or a parameter. A value that is neither true nor false is refused: whoever sends it does not mean to register. */
export function readDryRun({ query, routeOptions }: Pick<FastifyRequest, 'query' | 'routeOptions'>): Asked {
  if (routeOptions.url?.endsWith(dryRunSuffix)) return { isDry: true, faults: [], planOf: withoutFiles };
  const { values, faults } = parseQuery(dryRunQuery.shape, query);
  const isDry = values.dryRun === 'true' || faults.length > 0;
  return { isDry, faults, planOf: isDry ? withoutFiles : (plan) => plan };
}

function withoutFiles(plan: BodyPlan): BodyPlan {
  return { ...plan, dropsFiles: true };
}

export interface DryRun {
  readonly given: GivenBody;
  readonly input: requestsContract.RegisterInput;
  /** Of evidences that could not be taken: it would be registered in ERROR. */
  readonly errors?: readonly ErrorDetail[];
}

/** @throws AppError what the registration would be refused with */
export async function answerDryRun(
  deps: Pick<RestDeps, 'peers'>,
  dryRun: DryRun,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): Promise<DryRunResult> {
  const { language } = request.call;
  const result = await tryRegistration(deps, dryRun, { caller: partnerOf(request), language });
  setLanguageHeaders(language, reply);
  return result;
}

/** For whom a registration is made or asked about, and the language of its texts. */
export interface ForCaller {
  readonly caller: PartnerCaller;
  readonly language: Language;
}

/** @throws AppError what the registration would be refused with */
export async function tryRegistration(
  { peers }: Pick<RestDeps, 'peers'>,
  { given, input: { acceptance: _acceptance, evidence: _evidence, ...input }, errors = [] }: DryRun,
  { caller, language }: ForCaller,
): Promise<DryRunResult> {
  const found = await peers.intake['requests.dryRun'](input, { for: caller });
  const warnings = [...found.warnings, ...findIgnored(given)].map((one) => localize(one, language));
  if (errors.length === 0) return { valid: true, warnings };
  return { valid: false, warnings, errors: errors.map((one) => localize(one, language)) };
}
