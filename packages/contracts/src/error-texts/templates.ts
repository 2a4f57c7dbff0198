import { type ErrorCode, errorCatalogue } from '../shared/errors.ts';
import { accessTexts } from './access.ts';
import { approvalTexts } from './approvals.ts';
import { callTexts } from './calls.ts';
import { fieldTexts } from './fields.ts';
import { fileTexts } from './files.ts';
import { openIdTexts } from './openid.ts';
import { operatorTexts } from './operators.ts';
import { partnerTexts } from './partners.ts';
import { requestTexts } from './requests.ts';

/** All templates except the texts of the catalogue, which have the ids `code.<ErrorCode>`. */
export const templates = {
  ...accessTexts,
  ...approvalTexts,
  ...callTexts,
  ...fieldTexts,
  ...fileTexts,
  ...openIdTexts,
  ...operatorTexts,
  ...partnerTexts,
  ...requestTexts,
};

export type TextId = keyof typeof templates;

const catalogueTemplates = Object.fromEntries(
  Object.entries(errorCatalogue).map(([code, { en, es }]) => [`code.${code}`, { en, es }]),
);
const all: Readonly<Record<string, { readonly en: string; readonly es: string }>> = {
  ...templates,
  ...catalogueTemplates,
};

/** Finds a template by its id; undefined for one of another release. */
export function findTemplate(id: string) {
  return Object.hasOwn(all, id) ? all[id] : undefined;
}

/** Returns the id of the catalogue's text for a code. */
export function toCatalogueId(code: ErrorCode): string {
  return `code.${code}`;
}
