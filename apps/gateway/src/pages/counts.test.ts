import { expect, it } from 'vitest';
import { formatDuration, selectPluralText } from './counts.ts';

it('one is said as one, in both languages', () => {
  const tries = { one: 'Queda # intento.', other: 'Quedan # intentos.' };
  expect([1, 2, 0].map((count) => selectPluralText(count, tries, 'es'))).toEqual([
    'Queda 1 intento.',
    'Quedan 2 intentos.',
    'Quedan 0 intentos.',
  ]);
  expect([1, 89, 90, 5_400].map((seconds) => formatDuration(seconds, 'es'))).toEqual([
    '1 segundo',
    '89 segundos',
    '2 minutos',
    '2 horas',
  ]);
  expect([1, 60, 125, 3_600].map((seconds) => formatDuration(seconds, 'en'))).toEqual([
    '1 second',
    '60 seconds',
    '3 minutes',
    '60 minutes',
  ]);
});

it('a time to wait is never said shorter than it is, and never none', () => {
  expect([0, 0.2, 1.1].map((seconds) => formatDuration(seconds, 'es'))).toEqual([
    '1 segundo',
    '1 segundo',
    '2 segundos',
  ]);
});
