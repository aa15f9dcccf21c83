// Rankings that papers print, ready to open.

import type { State } from "../state";

interface Example {
  name: string;
  about: string;
  state: Partial<State>;
}

export const EXAMPLES: Example[] = [
  {
    name: "Moffat 2013, Table 1: variants of DCG",
    about: "B has one relevant document more, and yet SNDCG falls",
    state: { a: "10100+1", b: "10101+1", m: "SNDCG@5 DCG@5 SDCG@5 nDCG@5 SNAP@5 AP@5 P@5 RBP(p=0.8)", s: "SNDCG@5", grade: "", ties: "file" },
  },
  {
    name: "Early or many?",
    about: "A has its two relevant documents at the top, B has three further down",
    state: { a: "11000+1", b: "00111", m: "P@5 R@5 RR AP nDCG@5 SDCG@5 RBP(p=0.8) RBP(p=0.5) ERR INSQ", s: "RBP(p=0.8)", grade: "", ties: "file" },
  },
  {
    name: "Reading deeper can lower the score",
    about: "B is A with one more document, which is not relevant: precision falls, recall stays",
    state: { a: "110+1", b: "1100+1", m: "P@3 P@4 SetP SetF AP RBP(p=0.8) RR R@4", s: "SetP", grade: "", ties: "file" },
  },
  {
    name: "Unjudged documents leave a range",
    about: "Each ? could be anything: the bars show how far each score could move",
    state: { a: "1-10-0-1--", b: "0110100100", m: "P@10 AP nDCG@10 RBP(p=0.8) RR bpref ERR INST(T=2)", s: "RBP(p=0.8)", grade: "", ties: "file" },
  },
  {
    name: "Graded relevance",
    about: "A has one perfect document, B several good ones; gains decide",
    state: { a: "30010+1:3+1:2", b: "12210+1:3", m: "nDCG@5 nDCG(dcg=exp-log2)@5 ERR@5 RBP(p=0.8) AP P@5 Q", s: "ERR@5", grade: "3", ties: "file" },
  },
  {
    name: "Ties: an order that nobody chose",
    about: "Documents in brackets have equal scores; see what each order would give",
    state: { a: "[101]0[01]+1", b: "110001+1", m: "P@1 P@3 AP RR nDCG@5 RBP(p=0.8)", s: "AP", grade: "", ties: "range" },
  },
];
