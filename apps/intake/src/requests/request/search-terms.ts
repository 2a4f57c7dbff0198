import { searchableName, toSearchTerms } from '@rubrica/database/search';
import { getDetailText } from './detail-text.ts';
import type { DependentWrite } from './one-statement.ts';
import type { Details } from './request.entity.ts';

/** Maximum number of words, enough for every name. */
const maxWords = 12;

const nameFields = ['applicantName', 'applicantLastName', 'applicantSecondLastName'] as const;

/** Returns the key of an e-mail address among the search terms: no word has an @. */
export function emailTerm(email: string): string {
  return `@${email.trim().toLowerCase()}`;
}

function searchParams(details: Details) {
  const words = toSearchTerms(nameFields.map((name) => getDetailText(details, name) ?? '').join(' ')).slice(
    0,
    maxWords,
  );
  const email = getDetailText(details, 'email');
  return {
    searchTerms: email === null ? words : [...words, emailTerm(email)],
    searchName: searchableName(words),
  };
}

const insert = `insert into request_word (word, created_at, request_id, name)
  select unnest(:searchTerms::text[]), request.created_at, request.id, :searchName::text from request`;
const forget = 'delete from request_word using request where request_word.request_id = request.id';

/** Returns the write of the terms by which a new request is found. */
export function insertTermsWrite(details: Details): DependentWrite {
  return { name: 'new_words', sql: insert, params: searchParams(details) };
}

/** Returns the writes for a request whose applicant's name or address has changed. */
export function replaceTermsWrites(details: Details): readonly DependentWrite[] {
  return [{ name: 'former_words', sql: forget, params: {} }, insertTermsWrite(details)];
}
