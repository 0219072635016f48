export type Format = 'json' | 'markdown' | 'csv';
export const FORMATS = ['json', 'markdown', 'csv'] as const satisfies readonly Format[];

export const MEDIA_TYPES: Readonly<Record<Format, string>> = {
  json: 'application/json',
  markdown: 'text/markdown',
  csv: 'text/csv',
};

/** The form that was asked for: by the parameter, else by the header Accept, else JSON, which a browser gets too. */
export function formatOf(asked: Format | undefined, accept: string | undefined): Format {
  if (asked !== undefined) return asked;
  const ranked = (accept ?? '')
    .split(',')
    .map((part, place) => {
      const [type = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase());
      const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
      const weight = quality === undefined ? 1 : Number(quality);
      return { type, place, weight: Number.isFinite(weight) ? weight : 0 };
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight || a.place - b.place);
  for (const { type } of ranked) {
    const format = FORMATS.find((known) => MEDIA_TYPES[known] === type);
    if (format) return format;
    if (type === '*/*' || type === 'application/*') return 'json';
  }
  return 'json';
}
