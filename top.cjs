const fs=require('fs');const f=fs.readdirSync('/tmp/prof').map(x=>'/tmp/prof/'+x).sort((a,b)=>fs.statSync(b).mtimeMs-fs.statSync(a).mtimeMs)[0];
const p=JSON.parse(fs.readFileSync(f));const self=new Map(),byId=new Map(p.nodes.map(n=>[n.id,n]));const dt=p.timeDeltas;
// keep only the last 45% time (loads)
const total=dt.reduce((a,b)=>a+b,0);const from=Number(process.argv[2]??0.0);
let acc=0;const selfT=new Map();p.samples.forEach((id,i)=>{acc+=dt[i];if(acc<total*from)return;selfT.set(id,(selfT.get(id)??0)+dt[i])});
const parent=new Map();for(const n of p.nodes)for(const c of n.children??[])parent.set(c,n.id);
const name=n=>`${n.callFrame.functionName||'(anon)'} ${n.callFrame.url.replace(/.*\/(libs|apps|node_modules)\//,'$1/')}:${n.callFrame.lineNumber+1}`;
const S=new Map(),T=new Map();let sum=0;
for(const [id,t] of selfT){sum+=t;const n=byId.get(id);S.set(name(n),(S.get(name(n))??0)+t);const seen=new Set();for(let x=id;x!==undefined;x=parent.get(x)){const k=name(byId.get(x));if(seen.has(k))continue;seen.add(k);T.set(k,(T.get(k)??0)+t)}}
const show=(m,k)=>[...m].sort((a,b)=>b[1]-a[1]).slice(0,k).forEach(([n,t])=>console.log((100*t/sum).toFixed(1).padStart(5),n));
console.log('total ms',(sum/1000).toFixed(0));console.log('SELF');show(S,45);console.log('TOTAL');show(T,90);
