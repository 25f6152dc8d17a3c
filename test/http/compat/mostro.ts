/** The fiats that Mostro asks of CoinGecko at once (`src/price/providers/coingecko.rs`). */
export const MOSTRO =
  "usd,eur,gbp,jpy,ars,aud,bdt,bhd,bmd,brl,cad,chf,clp,cny,czk,dkk,gel,hkd,huf,idr,ils,inr,krw,kwd,lkr,mmk,mxn,myr,ngn,nok,nzd,php," +
  "pkr,pln,rub,sar,sek,sgd,thb,try,twd,uah,vnd,zar"
