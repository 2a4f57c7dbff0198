import type { OverviewWarning } from '@rubrica/contracts/operators/overview';
import { type TermsType, termsTypeSchema } from '@rubrica/contracts/shared/terms';
import type { Database } from '@rubrica/database/connection';
import type { FailedRow, RowGuard } from '@rubrica/database/guarded';
import { statement } from '@rubrica/database/statement';
import { toAppError } from '@rubrica/process/errors';
import type { Peers } from '@rubrica/wiring';
import { countAdministrators } from '../../access/accounts/administrators.ts';
import { findActiveTerms } from '../../requests/request/terms-acceptance.ts';
import type { DeskDeps } from '../deps.ts';

function missingTerms(type: TermsType): OverviewWarning {
  return {
    code: 'NO_ACTIVE_TERMS',
    subject: type,
    message: `${type} has no active terms: no certificate of this type can be claimed. Create a version and activate it`,
  };
}

const termsUnavailable: OverviewWarning = {
  code: 'SERVICE_UNAVAILABLE',
  subject: 'terms',
  message: 'The terms service does not answer: nothing can be claimed until it does',
};

function notAuthentic({ table, id }: FailedRow): OverviewWarning {
  return {
    code: 'ROW_NOT_AUTHENTIC',
    subject: `${table}:${id}`,
    message: `This ${table.replaceAll('_', ' ')} was changed in the database, and not by the service. It counts as disabled: find out who could, and put it back from a backup or make it anew`,
  };
}

const oneAdministrator: OverviewWarning = {
  code: 'ONE_ADMINISTRATOR',
  subject: 'operators',
  message: 'There are fewer than two enabled administrators: what takes two is refused. Name another one',
};

const dualControlOff: OverviewWarning = {
  code: 'DUAL_CONTROL_OFF',
  subject: 'operators',
  message:
    'DUAL_CONTROL is off: one administrator alone loosens rules, makes partners and secrets, activates terms. Set it to required',
};

const filesNotIsolated: OverviewWarning = {
  code: 'FILES_NOT_ISOLATED',
  subject: 'intake',
  message:
    'Files are checked without network isolation: a fault in a decoder reaches the keys of intake. Run the file checker for itself and set FILE_CHECKER_ADDRESS, or allow user namespaces',
};

function disputed({ id }: { readonly id: string }): OverviewWarning {
  return {
    code: 'APPLICANT_DISPUTED',
    subject: id,
    message:
      'The person who got the link of this request says that they did not ask for a certificate. Find out who used their data',
  };
}

const maxDisputed = 20;

const findDisputed = statement<object, { readonly id: string }>({
  name: 'find-disputed',
  sql: `
select id from request
where error_code = 'APPLICANT_DISPUTED' and error_at > now() - interval '7 days'
order by error_at desc limit ${maxDisputed}`,
});

interface OverviewWarningsDeps {
  readonly peers: Pick<Peers<'intake'>, 'terms'>;
  readonly database: Pick<Database, 'statement'>;
  readonly rows: Pick<RowGuard, 'failed' | 'isIntact'>;
  readonly rules: Pick<DeskDeps['rules'], 'dualControl'>;
  readonly fileChecker: Pick<DeskDeps['fileChecker'], 'isIsolated'>;
}

/**
 * Lists the warnings for administrators. A service that does not answer is a warning, never a failure of the
 * overview.
 */
export async function findOverviewWarnings(deps: OverviewWarningsDeps): Promise<OverviewWarning[]> {
  const { peers, database, rows, rules, fileChecker } = deps;
  const [termsFindings, administrators, disputes] = await Promise.all([
    findTermsWarnings(peers),
    countAdministrators(database, rows),
    findDisputed.run(database, {}),
  ]);
  return [
    ...rows.failed().map(notAuthentic),
    ...(rules.dualControl === 'off' ? [dualControlOff] : administrators < 2 ? [oneAdministrator] : []),
    ...(fileChecker.isIsolated ? [] : [filesNotIsolated]),
    ...disputes.map(disputed),
    ...termsFindings,
  ];
}

async function findTermsWarnings(peers: OverviewWarningsDeps['peers']): Promise<OverviewWarning[]> {
  const lookups = termsTypeSchema.options.map(async (type) => ({
    type,
    active: await findActiveTerms(peers, type),
  }));
  const found = await Promise.all(lookups).catch((fault: unknown) => {
    if (toAppError(fault).code === 'SERVICE_UNAVAILABLE') return undefined;
    throw fault;
  });
  if (found === undefined) return [termsUnavailable];
  return found.filter(({ active }) => active === null).map(({ type }) => missingTerms(type));
}
