import { compareQuantities, inUnit, multiplyQuantities, parseQuantity, quantityJson } from './quantity';

const read = (text: string) => {
  const parsed = parseQuantity(text);
  if (!parsed.ok) throw new Error(parsed.why);
  return parsed.value;
};

describe('parts in a million', () => {
  it('are a share, as a percentage is', () => {
    expect(compareQuantities(read('6000 ppm'), read('0.6 %'))).toBe(0);
    expect(compareQuantities(read('6001 ppm'), read('0.6 %'))).toBeGreaterThan(0);
    expect(quantityJson(inUnit(read('0.6 %'), 'ppm'))).toEqual({ value: '6000', unit: 'ppm' });
  });

  // 3,000 gal x 8.34 lb/gal x 6,000 ppm = 150.12 lb.
  it('of a load give pounds, to the last digit', () => {
    const weight = multiplyQuantities(read('3000 gal'), read('8.34 lb/gal'));
    const pounds = weight && multiplyQuantities(weight, read('6000 ppm'));
    expect(pounds && quantityJson(pounds)).toEqual({ value: '150.12', unit: 'lb' });
  });
});
