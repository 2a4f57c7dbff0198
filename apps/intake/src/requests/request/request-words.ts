import { searchableName, searchWords } from '@rubrica/database';
import { detailText } from './detail-text.ts';
import type { DependentWrite } from './one-statement.ts';
import type { Details } from './request.entity.ts';

/** Enough for every name there is. */
const mostWords = 12;

const namesOf = ['applicantName', 'applicantLastName', 'applicantSecondLastName'] as const;

/** The key of an e-mail address among the words: no word has an @. */
export function emailTerm(email: string): string {
  return `@${email.trim().toLowerCase()}`;
}

function searchParams(details: Details) {
  const words = searchWords(namesOf.map((name) => detailText(details, name) ?? '').join(' ')).slice(
    0,
    mostWords,
  );
  const email = detailText(details, 'email');
  return {
    searchTerms: email === null ? words : [...words, emailTerm(email)],
    searchName: searchableName(words),
  };
}

const insert = `insert into request_word (word, created_at, request_id, name)
  select unnest(:searchTerms::text[]), request.created_at, request.id, :searchName::text from request`;
const forget = 'delete from request_word using request where request_word.request_id = request.id';

/** What a new request is found by. */
export function newWords(details: Details): DependentWrite {
  return { name: 'new_words', sql: insert, params: searchParams(details) };
}

/** The same of a request whose applicant has another name or address now. */
export function changedWords(details: Details): readonly DependentWrite[] {
  return [{ name: 'former_words', sql: forget, params: {} }, newWords(details)];
}
