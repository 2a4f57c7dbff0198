import { createText } from '@rubrica/contracts/error-texts/create-text';
import { renderEnglish } from '@rubrica/contracts/error-texts/render-text';
import { describe, expect, it } from 'vitest';
import { faultKinds, ok, type Verdict } from '../file-checks/verdict.ts';
import type { Observation } from '../request/request.entity.ts';
import { type FileFinding, judgeFiles, updateFileObservations } from './judge-files.ts';

const now = new Date('2026-11-21T12:00:00Z');
function found(kind: Exclude<Verdict['kind'], 'ok'>, field: string | null = null, position = 0): FileFinding {
  return {
    field,
    position,
    verdict: { kind, text: createText('request.verbatim', { message: `is ${kind}` }) },
  };
}

function judge(findings: readonly FileFinding[]) {
  const fault = judgeFiles(findings);
  return fault && { code: fault.code, message: renderEnglish(fault.text), fields: fault.fields };
}

describe('what follows from the files of a request', () => {
  it('is nothing where all are in order', () => {
    expect(judge([{ field: null, position: 0, verdict: ok }])).toBeNull();
    expect(updateFileObservations([{ field: null, position: 0, verdict: ok }], [], now)).toEqual([]);
  });

  it.each(faultKinds)('is for an attachment that is %s a fault that names it', (kind) => {
    expect(judge([found(kind, 'pdfCompanyRuc', 3)])).toEqual({
      code: 'DOCUMENT_ILLEGIBLE',
      message: `pdfCompanyRuc is ${kind}`,
      fields: ['pdfCompanyRuc'],
    });
  });

  it.each(faultKinds.filter((kind) => kind !== 'unreadable'))(
    'is for an evidence that is %s a fault',
    (kind) => {
      expect(judge([found(kind, null, 2)])).toEqual({
        code: 'EVIDENCE_INVALID',
        message: `evidences[2].evidenceFile is ${kind}`,
        fields: [],
      });
    },
  );

  it('is for an evidence that nobody can read, and for a doubtful file anywhere, a warning alone', () => {
    const findings = [found('unreadable'), found('doubtful', null, 1), found('doubtful', 'pdfCompanyRuc', 2)];
    expect(judge(findings)).toBeNull();
    expect(updateFileObservations(findings, [], now)).toEqual(
      [
        'evidences[0].evidenceFile is unreadable',
        'evidences[1].evidenceFile is doubtful',
        'pdfCompanyRuc is doubtful',
      ].map((message) => ({
        type: 'WARNING',
        code: 'EVIDENCE_UNREADABLE',
        message,
        text: expect.objectContaining({ id: 'field.fault' }),
        createdDate: now.toISOString(),
      })),
    );
  });

  it('names all that is at fault at once, within what a message may hold', () => {
    const fault = judge([
      found('unreadable', 'identificationFront'),
      found('bomb'),
      found('encrypted', 'pdfCompanyRuc'),
    ]);
    expect(fault).toEqual({
      code: 'DOCUMENT_ILLEGIBLE',
      message:
        'identificationFront is unreadable. evidences[0].evidenceFile is bomb. pdfCompanyRuc is encrypted',
      fields: ['identificationFront', 'pdfCompanyRuc', 'evidences'],
    });
    const many = Array.from({ length: 20 }, (_, index) => found('active-content', null, index));
    expect(judge(many)?.message.length).toBeLessThanOrEqual(500);
  });

  it('takes the place of what an earlier check saw, and of nothing else', () => {
    const earlier: Observation[] = ['EVIDENCE_UNREADABLE', 'RUC_CHECK_DIGIT'].map((code) => ({
      type: 'WARNING',
      code,
      message: 'm',
      createdDate: 'd',
    }));
    expect(updateFileObservations([], earlier, now).map(({ code }) => code)).toEqual(['RUC_CHECK_DIGIT']);
    expect(updateFileObservations([found('unreadable')], earlier, now)).toHaveLength(2);
  });
});
