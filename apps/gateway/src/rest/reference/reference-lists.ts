import { createText } from '@rubrica/contracts/error-texts/create-text';
import { citiesQuery, type ReferenceOperationId } from '@rubrica/contracts/rest/reference';
import { type Family, families } from '@rubrica/contracts/shared/enumerations';
import { findProvince, provinces } from '@rubrica/ecuador';
import { referenceRows } from '@rubrica/openapi/reference-rows';
import type { Language } from '../../context.ts';
import { assertFaultless } from '../../fields/assert-faultless.ts';
import { invalidField, parseQuery } from '../../fields/parse-fields.ts';
import type { Handler } from '../../http/handler.ts';
import { setLanguageHeaders } from '../../http/localize.ts';
import { type Published, publish, sendPublished } from '../../http/published.ts';

interface Filter {
  readonly family?: Family | undefined;
  readonly provinceCode?: string | undefined;
}

const languages: readonly Language[] = ['en', 'es'];

/** Creates the reference lists. All possible answers are built at the start. Public. */
export function createReferenceLists(): Record<ReferenceOperationId, Handler> {
  const ids = Object.keys(referenceRows) as ReferenceOperationId[];
  const handlers = ids.map((id) => [id, createHandler(id)] as const);
  return Object.fromEntries(handlers) as Record<ReferenceOperationId, Handler>;
}

function createHandler(id: ReferenceOperationId): Handler {
  const published = publishAll(id);
  const readFilter = id === 'listCities' ? cityFilter : familyFilter;
  return async (request, reply) => {
    const { language } = request.call;
    const answer = published.get(formatKey(language, readFilter(request.query)));
    if (answer === undefined) throw new Error(`${id} has no answer for a filter that was taken`);
    setLanguageHeaders(language, reply).header('content-type', 'application/json; charset=utf-8');
    return sendPublished(request, reply, answer);
  };
}

const { family, province } = citiesQuery.shape;

function familyFilter(query: unknown): Filter {
  const { values, faults } = parseQuery({ family }, query);
  assertFaultless(faults);
  return values;
}

function cityFilter(query: unknown): Filter {
  const { values, faults } = parseQuery({ province, family }, query);
  const found = values.province === undefined ? undefined : findProvince(values.province);
  const isUnknown = values.province !== undefined && found === undefined;
  assertFaultless(isUnknown ? [unknownProvince, ...faults] : faults);
  return { family: values.family, provinceCode: found?.code };
}

const unknownProvince = invalidField('province', createText('field.province'));

function publishAll(id: ReferenceOperationId): ReadonlyMap<string, Published> {
  const provinceCodes = id === 'listCities' ? [undefined, ...provinces.map(({ code }) => code)] : [undefined];
  const published = new Map<string, Published>();
  for (const language of languages) {
    const rows = referenceRows[id](language);
    for (const provinceCode of provinceCodes) {
      const rowsOfProvince = rows.filter(({ parentCode }) => !provinceCode || parentCode === provinceCode);
      for (const familyOrAll of [undefined, ...families]) {
        const rowsOfFamily = rowsOfProvince.filter(
          (row) => !familyOrAll || row.family === null || row.family === familyOrAll,
        );
        // Lists of provinces and cities have the same body in both languages, with another `Content-Language`.
        published.set(
          formatKey(language, { family: familyOrAll, provinceCode }),
          publish(JSON.stringify(rowsOfFamily), language),
        );
      }
    }
  }
  return published;
}

function formatKey(language: Language, filter: Filter): string {
  return `${language} ${filter.family ?? '*'} ${filter.provinceCode ?? '*'}`;
}
