import { formatOf } from './format';

it.each([
  [undefined, undefined, 'json'],
  [undefined, '*/*', 'json'],
  [undefined, 'text/markdown', 'markdown'],
  [undefined, 'TEXT/CSV; charset=utf-8', 'csv'],
  [undefined, 'text/csv;q=0.5, text/markdown', 'markdown'],
  [undefined, 'text/csv;q=0.5, application/json;q=0.4', 'csv'],
  [undefined, 'text/csv, text/markdown', 'csv'],
  [undefined, 'text/csv;q=0, text/markdown;q=0.1', 'markdown'],
  [undefined, 'text/csv;q=lots, text/markdown;q=0.1', 'markdown'],
  // A browser.
  [undefined, 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'json'],
  [undefined, 'text/html', 'json'],
  [undefined, '', 'json'],
  ['csv', 'text/markdown', 'csv'],
  ['json', 'text/csv', 'json'],
] as const)('format=%s and Accept: %s is answered as %s', (asked, accept, format) => {
  expect(formatOf(asked, accept)).toBe(format);
});
