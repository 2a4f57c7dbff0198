import { createCatalogueText, createFieldText, createText } from '@rubrica/contracts/error-texts/create-text';
import { renderText } from '@rubrica/contracts/error-texts/render-text';
import { describe, expect, it } from 'vitest';
import { findStoredText, readErrorText, readEvidenceText } from './stored-text.ts';

const text = createFieldText('evidences[0].evidenceFile', createText('file.encrypted'));
const message = 'evidences[0].evidenceFile is encrypted; send it without a password';

describe('the text of a stored message', () => {
  it('is the one beside it', () => {
    expect(findStoredText(message, text)).toBe(text);
    expect(readErrorText({ errorMessage: message, errorText: text })).toBe(text);
    expect(readEvidenceText({ error: message, errorText: text })).toBe(text);
  });

  it.each([
    ['of an earlier error, which a copy of the release before left there', text],
    ['of a template of another release', { id: 'file.fromTheFuture' }],
    ['that is not there, as release 0.1.0 wrote it', null],
  ])('is not the one %s', (_what, beside) => {
    const errorMessage = 'The RUC is not active';
    expect(findStoredText(errorMessage, beside)).toBeUndefined();
    const shown = [
      readErrorText({ errorMessage, errorText: beside }),
      readEvidenceText({ error: errorMessage, errorText: beside }),
    ];
    expect(shown.map((one) => renderText(one, 'es'))).toEqual([errorMessage, errorMessage]);
  });

  it('is general where no message is stored', () => {
    expect(readErrorText({ errorMessage: null, errorText: null })).toEqual(
      createCatalogueText('INTERNAL_ERROR'),
    );
    expect(readEvidenceText({ error: null, errorText: null })).toEqual(createText('file.unreadable'));
  });
});
