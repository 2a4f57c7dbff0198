import { createFieldText, createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import { evidenceItemSchema } from '@rubrica/contracts/rest/linked-partner';
import type { ErrorDetail } from '@rubrica/contracts/shared/errors';
import { errorDetail, fieldFault } from '@rubrica/process/errors';
import { uuidv7 } from '@rubrica/process/time';
import type { Body, FileLimits } from '../../body/body.ts';
import { createFilesTooLarge } from '../../body/refused-document.ts';
import { invalidField, parseFields } from '../../fields/parse-fields.ts';
import type { BundleItem } from './bundle-files.ts';
import { judgeFile } from './judge-file.ts';

export interface CheckedEvidences {
  /** Evidences that can be accepted. */
  readonly items: readonly BundleItem[];
  /** Faults that refuse the body. */
  readonly faults: readonly ErrorDetail[];
  /** Errors of evidences that cannot be accepted: the request is registered with these errors. */
  readonly errors: readonly ErrorDetail[];
}

export const evidenceFilePath = 'evidences[].evidenceFile';
const maxItems = 20;
const { evidenceType, validatorUrl } = evidenceItemSchema.shape;
const itemShape = { evidenceType, validatorUrl } as const;

/**
 * Checks the items of `evidences`.
 * @returns undefined where the field is absent
 * @throws AppError FILE_TOO_LARGE: its 413 precedes any 400
 */
export function checkEvidences(body: Body, limits: FileLimits): CheckedEvidences | undefined {
  const list = body.fields.evidences;
  if (list === undefined || list === null || list === '') return undefined;
  if (!Array.isArray(list)) return createRefusal('FIELD_INVALID', createText('field.list'));
  if (list.length === 0) return createRefusal('EVIDENCE_MISSING', createText('field.oneItem'));
  if (list.length > maxItems)
    return createRefusal('FIELD_INVALID', createText('field.maxItems', { count: maxItems }));
  const checked = list.map((item, index) => checkItem(item, index, { files: body.files, limits }));
  const tooLarge = checked.flatMap((checkedItem) => checkedItem.tooLarge ?? []);
  if (tooLarge.length > 0) throw createFilesTooLarge(tooLarge);
  return {
    items: checked.flatMap((checkedItem) => checkedItem.item ?? []),
    faults: checked.flatMap((checkedItem) => checkedItem.faults ?? []),
    errors: checked.flatMap((checkedItem) => checkedItem.error ?? []),
  };
}

/** Creates the fault of a body without required `evidences`. */
export function createMissingEvidences(): CheckedEvidences {
  return createRefusal('EVIDENCE_MISSING', createText('field.itemsRequired'));
}

function createRefusal(code: ErrorDetail['code'], expectation: ErrorText): CheckedEvidences {
  return { items: [], errors: [], faults: [fieldFault(code, 'evidences', expectation)] };
}

interface CheckedItem {
  readonly item?: BundleItem;
  readonly faults?: readonly ErrorDetail[];
  readonly error?: ErrorDetail;
  readonly tooLarge?: ErrorDetail;
}

interface CheckContext {
  readonly files: Body['files'];
  readonly limits: FileLimits;
}

function checkItem(item: unknown, index: number, { files, limits }: CheckContext): CheckedItem {
  const itemPath = `evidences[${index}]`;
  if (typeof item !== 'object' || item === null || Array.isArray(item)) {
    return { faults: [invalidField(itemPath, createText('field.object'))] };
  }
  const { values, faults } = parseFields(itemShape, item as Record<string, unknown>, {
    prefix: `${itemPath}.`,
  });
  const filePath = `${itemPath}.evidenceFile`;
  const file = files.get(filePath);
  const named = { evidenceId: uuidv7(), ...values };
  if (file === undefined) {
    const hasUrl =
      Object.hasOwn(values, 'validatorUrl') ||
      faults.some(({ field }) => field === `${itemPath}.validatorUrl`);
    if (hasUrl) return { item: named, faults };
    return {
      faults: [
        ...faults,
        errorDetail('EVIDENCE_MISSING', filePath, createFieldText(itemPath, createText('file.required'))),
      ],
    };
  }
  const judged = judgeFile(file, filePath, limits);
  switch (judged.kind) {
    case 'file':
      return { faults, item: { ...named, place: filePath } };
    case 'too-large':
      return { faults, tooLarge: judged.fault };
    case 'not-a-file':
      return { faults: [...faults, judged.fault] };
    case 'late-pdf':
    case 'unusable':
      return { faults, error: fieldFault('EVIDENCE_INVALID', filePath, judged.expectation) };
  }
}
