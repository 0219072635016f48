import { describeEventStore } from './contract';
import { memoryUnderTest } from './memory-under-test.testing';

describeEventStore('memory', memoryUnderTest);
