import { termsTypeSchema } from '@rubrica/contracts/shared/terms';
import { formatLocalDateTime } from '@rubrica/process/time';
import { assertFaultless } from '../../fields/assert-faultless.ts';
import { parseQuery } from '../../fields/parse-fields.ts';
import type { Handler } from '../../http/handler.ts';
import type { RestDeps } from '../deps.ts';

const shape = { type: termsTypeSchema } as const;

/** Returns the active version of the terms of a type. Public. */
export function createActiveTerms(deps: Pick<RestDeps, 'peers' | 'timeZone'>): Handler {
  return async (request) => {
    const { values, faults } = parseQuery(shape, request.query, {
      missing: 'INVALID_TERMS_TYPE',
      codes: { type: 'INVALID_TERMS_TYPE' },
    });
    assertFaultless(faults);
    const { type } = values;
    if (type === undefined) throw new Error('a faultless query has a type');
    const terms = await deps.peers.terms['terms.active']({ type });
    return {
      id: terms.id,
      version: terms.version,
      content: terms.content,
      type: terms.type,
      createdDate: formatLocalDateTime(new Date(terms.createdDate), deps.timeZone),
      active: terms.active,
    };
  };
}
